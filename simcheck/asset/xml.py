"""From bytes to an XML tree: forgiving of style, closed to entities, the network and floods."""

from __future__ import annotations

from pathlib import Path

from lxml import etree

from simcheck.errors import AssetError, AssetWarning

MAX_BYTES = 64 * 2**20  # the largest real file seen has 0.7 MB; a parsed tree takes about ten times its text

# What libxml2 can step over without losing an element. Anything else may have dropped a part of the robot.
_HARMLESS = {
    "ERR_HYPHEN_IN_COMMENT": "a double hyphen inside a comment",
    "NS_ERR_UNDEFINED_NAMESPACE": "an undeclared name-space prefix",
    "ERR_UNKNOWN_VERSION": "an unknown XML version",
    "ERR_VERSION_MISSING": "a malformed XML declaration",
    "ERR_SPACE_REQUIRED": "a malformed XML declaration",
    "ERR_XMLDECL_NOT_FINISHED": "a malformed XML declaration",
    "ERR_RESERVED_XML_NAME": "an XML declaration that is not at the start",
    "ERR_DOCUMENT_END": "text after the end of the robot",
}


def read_bytes(path: Path) -> bytes:
    """The file's bytes, or an `AssetError` that says why it cannot be read."""
    name = str(path)
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise AssetError(name, "this is a folder, not a URDF file", code="FILE_UNREADABLE")
        if size > MAX_BYTES:
            raise AssetError(
                name,
                f"the file has {size / 2**20:.0f} MB; the limit is {MAX_BYTES // 2**20} MB",
                remedy="Nothing was read. A URDF of this size is not plausible: are meshes written into it?",
                code="FILE_TOO_LARGE",
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise AssetError(name, "no such file", code="FILE_UNREADABLE") from None
    except OSError as error:
        raise AssetError(name, f"cannot be read: {error.strerror or error}", code="FILE_UNREADABLE") from None


def parse(data: bytes, file: str) -> tuple[etree._Element, list[AssetWarning]]:
    """The root element of a URDF text, and a warning for each fault of style that was stepped over."""
    if b"<!ENTITY" in data.replace(b"\0", b""):
        raise AssetError(
            file,
            "the file declares XML entities; they are not read",
            remedy="Remove the <!DOCTYPE …> block and write the values out.",
            code="XML_ENTITY",
        )
    if not data.strip():
        raise AssetError(file, "the file is empty", code="FILE_EMPTY")
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise AssetError(file, f"not XML: {error}", code="XML_BROKEN") from None
    warnings = [_style_warning(entry, file) for entry in parser.error_log]
    if root is None:
        raise AssetError(file, "not XML: no element found", code="XML_BROKEN")
    _strip_prefixes(root)
    _require_robot(root, file)
    return root, list(dict.fromkeys(warnings))


def _style_warning(entry: etree._LogEntry, file: str) -> AssetWarning:
    fault = _HARMLESS.get(entry.type_name)
    if fault is None:
        cause = f"not well-formed XML: {entry.message.strip()}"
        place = f"line {entry.line}"
        raise AssetError(file, cause, element=place, remedy="Correct the XML there.", code="XML_BROKEN")
    message = f"not well-formed XML: {fault}; read all the same"
    return AssetWarning(file, f"line {entry.line}", message, "XML_STYLE")


def _strip_prefixes(root: etree._Element) -> None:
    """Tags without name space or prefix, also where the prefix was never declared."""
    for element in root.iter(etree.Element):
        tag = element.tag
        if "}" in tag or ":" in tag:
            element.tag = tag.rsplit("}", 1)[-1].rsplit(":", 1)[-1]
    etree.cleanup_namespaces(root)  # else a default name space would come back when the tree is written out


def _require_robot(root: etree._Element, file: str) -> None:
    if root.tag == "mujoco":
        raise AssetError(
            file,
            "this is an MJCF model, not a URDF",
            remedy="MJCF is not read yet: convert it to URDF first, for example with the tool mjcf2urdf.",
            code="NOT_URDF",
        )
    if root.tag != "robot":
        raise AssetError(file, f"the root element is <{root.tag}>, a URDF has <robot>", code="NOT_URDF")
