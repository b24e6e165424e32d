import { crc32, deflateSync } from 'node:zlib'

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Eight bits each of red, green and blue a pixel; one bit of grey. */
const [COLOURED, BLACK_AND_WHITE] = [Buffer.from([8, 2]), Buffer.from([1, 0])]
const [RED, BLUE] = [Buffer.from([200, 30, 30]), Buffer.from([30, 30, 200])]

/** A PNG whose left half is red and whose right half is blue. */
export function drawPng(width: number, height: number) {
  const half = Math.floor(width / 2)
  const row = Buffer.concat([
    Buffer.alloc(1),
    Buffer.alloc(half * 3, RED),
    Buffer.alloc((width - half) * 3, BLUE),
  ])
  return toPng(width, height, COLOURED, Buffer.alloc(height * row.length, row))
}

/** A black PNG of many pixels and few bytes. */
export const drawBlackPng = (width: number, height: number) =>
  toPng(width, height, BLACK_AND_WHITE, Buffer.alloc(height * (1 + Math.ceil(width / 8))))

/** A PNG of a few bytes that claims a size. */
export const claimPng = (width: number, height: number) => toPng(width, height, COLOURED, Buffer.alloc(1024))

function toPng(width: number, height: number, kind: typeof COLOURED, rows: Buffer) {
  const header = Buffer.concat([toUInt32(width), toUInt32(height), kind, Buffer.alloc(3)])
  return Buffer.concat([
    PNG_SIGNATURE,
    toChunk('IHDR', header),
    toChunk('IDAT', deflateSync(rows)),
    toChunk('IEND', Buffer.alloc(0)),
  ])
}

function toChunk(type: string, data: Buffer) {
  const content = Buffer.concat([Buffer.from(type), data])
  return Buffer.concat([toUInt32(data.length), content, toUInt32(crc32(content))])
}

function toUInt32(value: number) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A GIF of one pixel. */
export const GIF = Buffer.from('R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64')

export const CAMERA = 'Ichneumon Optics'
const TAGS = { make: 0x010f, orientation: 0x0112, gps: 0x8825, latitudeRef: 1 }
const TYPES = { ascii: 2, short: 3, long: 4 }
/** Who shows the picture turns it clockwise by 90 degrees. */
const TURNED = 6
const ENTRY_BYTES = 12

/** A JPEG with what a phone that is held upright writes beside it: its maker, the orientation and the place. */
export function addExif(jpeg: Uint8Array) {
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), toTiff()])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(exif.length + 2)
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, exif, jpeg.subarray(2)])
}

/** Two directories, of the picture and of the place, and the text of the first. */
function toTiff() {
  const header = Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0])
  const placeAt = header.length + getDirectoryBytes(3)
  const textAt = placeAt + getDirectoryBytes(1)
  const picture = toDirectory([
    [TAGS.make, TYPES.ascii, CAMERA.length + 1, textAt],
    [TAGS.orientation, TYPES.short, 1, TURNED],
    [TAGS.gps, TYPES.long, 1, placeAt],
  ])
  const place = toDirectory([[TAGS.latitudeRef, TYPES.ascii, 2, 'N'.charCodeAt(0)]])
  return Buffer.concat([header, picture, place, Buffer.from(`${CAMERA}\0`)])
}

type Entry = [tag: number, type: number, count: number, value: number]

/** How long a directory is: a count, its entries, and where the next one is. */
const getDirectoryBytes = (entries: number) => 2 + entries * ENTRY_BYTES + 4

function toDirectory(entries: Entry[]) {
  const directory = Buffer.alloc(getDirectoryBytes(entries.length))
  directory.writeUInt16LE(entries.length)
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 2 + index * ENTRY_BYTES
    directory.writeUInt16LE(tag, at)
    directory.writeUInt16LE(type, at + 2)
    directory.writeUInt32LE(count, at + 4)
    directory.writeUInt32LE(value, at + 8)
  }
  return directory
}
