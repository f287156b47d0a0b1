"""Where passages come from: an offline encyclopedia, the web, pages that the user names."""
