const [MARKER, END_OF_IMAGE, START_OF_SCAN] = [0xff, 0xd9, 0xda]

/** Counts the scans of a JPEG, each of which covers the whole picture again; undefined if its end is missing. */
export function countScans(jpeg: Uint8Array) {
  const bytes = Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.length)
  let scans = 0
  for (let at = bytes.indexOf(MARKER, 2); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(MARKER, at)) {
    const kind = bytes[at + 1]!
    if (kind === END_OF_IMAGE) return scans
    if (kind === START_OF_SCAN) scans++
    at += hasLength(kind) && at + 3 < bytes.length ? 2 + bytes.readUInt16BE(at + 2) : kind === MARKER ? 1 : 2
  }
  return undefined
}

/** Within a scan stand zeros after the marker's byte, and restarts; a segment can hold another picture. */
const hasLength = (kind: number) => kind >= 0xc0 && kind !== MARKER && !(kind >= 0xd0 && kind <= 0xd8)
