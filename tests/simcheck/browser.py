"""A headless Chromium for the tests of pages: console messages, network requests, screenshots, printing."""

from __future__ import annotations

import base64
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
_HARMLESS = "GPU stall due to ReadPixels"  # Chromium's own warning about screenshots


class Browser:
    """One browser for a whole test session."""

    def __init__(self, driver: Any, folder: Path) -> None:
        self.driver, self.folder = driver, folder

    def open(self, path: Path, fragment: str = "") -> None:
        """Load a page from disk with empty logs, and wait until its tables are ready."""
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.driver.get(path.as_uri() + fragment)
        self.settle()

    def settle(self) -> None:
        """Wait for tables and drawings that are still unpacking, then for two frames."""
        self.driver.execute_async_script("""
            const done = arguments[0];
            const look = () => document.querySelector('[data-table=""], [data-ready=""]')
                ? setTimeout(look, 10) : requestAnimationFrame(() => requestAnimationFrame(() => done()));
            look();""")

    def run(self, script: str, *arguments: Any) -> Any:
        """The value that a script returns in the page."""
        return self.driver.execute_script(script, *arguments)

    def command(self, name: str, **parameters: Any) -> Any:
        """A command of the Chrome DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def console(self) -> list[str]:
        """What the page wrote to the console, errors of its security policy included."""
        return [entry["message"] for entry in self.driver.get_log("browser") if _HARMLESS not in entry["message"]]

    def requests(self) -> list[str]:
        """Addresses that the page asked for, other than itself and what it carries."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
        asked += [e["params"]["url"] for e in events if e["method"] == "Network.webSocketCreated"]
        own = self.driver.current_url.split("#")[0]
        return [url for url in asked if url.split("#")[0] != own and not url.startswith(("data:", "blob:"))]

    @contextmanager
    def appearance(self, **features: str) -> Iterator[None]:
        """Emulate media features or a medium: ``appearance(prefers_color_scheme="dark")``, ``media="print"``."""
        media = features.pop("media", "")
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.command("Emulation.setEmulatedMedia", media=media, features=named)
        try:
            yield
        finally:
            self.command("Emulation.setEmulatedMedia", media="", features=[])

    def screenshot(self, path: Path, width: int = 1300, height: int | None = None) -> None:
        """The page from its top, its whole length unless a height is given."""
        height = height or self.run("return document.documentElement.scrollHeight")
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        try:
            self.settle()
            clip["height"] = height if height else self.run("return document.documentElement.scrollHeight")
            shot = self.command("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        finally:
            self.command("Emulation.clearDeviceMetricsOverride")
        path.write_bytes(base64.b64decode(shot["data"]))

    def print_pdf(self, path: Path) -> None:
        """The page on paper, as its own style sheet lays it out."""
        data = self.command("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"]
        path.write_bytes(base64.b64decode(data))


@contextmanager
def started(folder: Path) -> Iterator[Browser]:
    """Debian's Chromium with a profile and a download folder of its own."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (
        "--headless=new",
        "--window-size=1300,900",
        f"--user-data-dir={folder / 'profile'}",
        "--enable-unsafe-swiftshader",
        "--disable-dev-shm-usage",
        "--no-first-run",
        *(["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else []),
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    # The driver's path is given, or selenium would look for one on the network.
    driver = webdriver.Chrome(options=options, service=Service(executable_path=DRIVER))
    try:
        driver.set_script_timeout(30)
        downloads = folder / "downloads"
        downloads.mkdir()
        driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(downloads)})
        yield Browser(driver, folder)
    finally:
        driver.quit()
