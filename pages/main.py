"""The frame around all pages: every address leads through here."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from flare_core.errors import FlareError
from pages.components.plain import plain

HERE = Path(__file__).parent

st.set_page_config(page_title="Flare", page_icon=str(HERE / "icon.svg"), layout="wide")
page = st.navigation(
    [
        st.Page(HERE / "write.py", title="Write", icon=":material/edit:", url_path="write", default=True),
        st.Page(HERE / "report.py", title="Report", icon=":material/article:", url_path="report"),
    ],
    position="top",
)
try:
    page.run()
except FlareError as error:  # such as a folder for the runs that cannot be used
    st.error(plain(str(error)), icon=":material/error:")
