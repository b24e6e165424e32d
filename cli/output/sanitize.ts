const CONTROL_AND_DIRECTION = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text from a server must not control the terminal, so control and direction characters become blanks. */
export const sanitizeText = (value: unknown) => toText(value).replace(CONTROL_AND_DIRECTION, ' ')

/** The same for each line of a text. */
export const sanitizeLines = (text: string) => text.split('\n').map(sanitizeText).join('\n')

function toText(value: unknown) {
  if (value === null || value === undefined) return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
