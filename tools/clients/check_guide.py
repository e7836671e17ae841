"""Runs every code block of the guide's pages about Python and QGIS, as a reader would."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request
from http.cookiejar import CookieJar

import tools

BASE, DATA, BINARY = sys.argv[1:4]
GUIDE = pathlib.Path(__file__).parent.parent.parent / "docs" / "guide"
WRITTEN = "http://127.0.0.1:8080"
# A user that the test has added.
KEEPER = {"name": "keeper", "password": "violet-harbour-92-lantern"}
SYSTEM = "/usr/bin/python3"
# Setup that the QGIS console has run before its user types.
CONSOLE = """from qgis.core import QgsApplication
QgsApplication.setPrefixPath("/usr", True)
application = QgsApplication([], False)
application.initQgis()
"""


def blocks(page):
    found = re.findall(r"^```(\w*)\n(.*?)^```$", (GUIDE / page).read_text(), re.MULTILINE | re.DOTALL)
    assert found and all(language in ("sh", "python") for language, _ in found), f"{page}: a block that nobody runs"
    return [(language, text.replace(WRITTEN, BASE)) for language, text in found]


def token():
    """Creates a token like a user would."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    headers = {"content-type": "application/json"}

    def post(path, body):
        request = urllib.request.Request(f"{BASE}/api/v1{path}", data=json.dumps(body).encode(), headers=headers)
        with opener.open(request) as answer:
            return json.load(answer)

    headers["x-csrf-token"] = post("/session", KEEPER)["csrf"]
    return post("/account/tokens", {"name": "guide", "scopes": ["read", "download"], "days": 1})["secret"]


def run(page, prelude, interpreter, folder, environment):
    """Runs shell blocks one by one; runs Python blocks after all previous ones, as in one session."""
    session = prelude
    count = 0
    for language, text in blocks(page):
        if language == "sh":
            command = ["bash", "-euo", "pipefail", "-c", text]
        else:
            session += text
            # A session continues: each block runs after the previous ones.
            command = [interpreter, "-c", session]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{page}:\n{text}\n{done.stdout}\n{done.stderr}"
        count += 1
    return count


environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
environment |= {
    "GEOTRAWL_DATA": DATA,
    "GEOTRAWL_TOKEN": token(),
    "QT_QPA_PLATFORM": "offscreen",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "PATH": os.pathsep.join([str(pathlib.Path(BINARY).parent), str(pathlib.Path(sys.executable).parent), os.environ.get("PATH", "")]),
}
told = []
with tempfile.TemporaryDirectory() as folder:
    told.append(f"{run('python.md', '', sys.executable, folder, environment)} of python.md")
with tempfile.TemporaryDirectory() as folder:
    known = os.path.exists(SYSTEM) and subprocess.run([SYSTEM, "-c", "import qgis.core"], capture_output=True).returncode == 0
    if known:
        told.append(f"{run('qgis.md', CONSOLE, SYSTEM, folder, environment)} of qgis.md")
    else:
        told.append(tools.skip("QGIS", "run `make clients`"))
print("Blocks that ran:", ", ".join(told))
