import { countScans } from './jpeg'

const MAX_EDGE = 2048
const MAX_PIXELS = 50_000_000
/** Cameras and editors write about ten; each costs as much as the picture has pixels, however few bytes it has. */
const MAX_SCANS = 50
const PICTURE_FORMATS = new Set<string>(['jpeg', 'png', 'webp'])
/** What Bun.Image says of bytes that it cannot decode. */
const UNREADABLE = /^ERR_IMAGE_(UNKNOWN_FORMAT|FORMAT_UNSUPPORTED|TOO_MANY_PIXELS|DECODE_FAILED)$/

export type RedrawnPicture = Uint8Array | 'file_not_supported' | 'file_not_whole' | 'picture_too_complex'

/** Draws a picture again as WebP, upright, with nothing but what is seen; else says what hinders that. */
export async function redrawPicture(bytes: Uint8Array): Promise<RedrawnPicture> {
  try {
    const picture = new Bun.Image(bytes, { maxPixels: MAX_PIXELS })
    const { format } = await picture.metadata()
    if (!PICTURE_FORMATS.has(format)) return 'file_not_supported'
    const scans = format === 'jpeg' ? countScans(bytes) : 1
    if (scans === undefined) return 'file_not_whole'
    if (scans > MAX_SCANS) return 'picture_too_complex'
    const limits = { fit: 'inside', withoutEnlargement: true } as const
    return withoutProfile(await picture.resize(MAX_EDGE, MAX_EDGE, limits).webp().bytes())
  } catch (error) {
    if (!UNREADABLE.test((error as { code?: string }).code ?? '')) throw error
    return 'file_not_supported'
  }
}

const HEADER_BYTES = 12
const HAS_PROFILE = 0x20

/** Drops the colour profile of a WebP, which may be any bytes. */
function withoutProfile(webp: Uint8Array) {
  const file = Buffer.from(webp)
  const kept = [file.subarray(0, HEADER_BYTES)]
  for (let at = HEADER_BYTES; at < file.length;) {
    const type = file.toString('latin1', at, at + 4)
    const size = 8 + file.readUInt32LE(at + 4)
    const chunk = file.subarray(at, at + size + (size % 2))
    if (type === 'VP8X') chunk[8]! &= ~HAS_PROFILE
    if (type !== 'ICCP') kept.push(chunk)
    at += chunk.length
  }
  const whole = Buffer.concat(kept)
  whole.writeUInt32LE(whole.length - 8, 4)
  return new Uint8Array(whole)
}
