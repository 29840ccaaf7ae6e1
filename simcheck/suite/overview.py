def write_overview(path, manifest): pass
