/** Returns the fiscal year of a date, April to March, such as 2026-27. */
export function getFiscalYear(date: string) {
  const year = Number(date.slice(0, 4))
  const isBeforeApril = date.slice(5, 7) < '04'
  return toName(isBeforeApril ? year - 1 : year)
}

/** Reads a fiscal year such as 2026-27; undefined unless its years follow each other. */
export function parseFiscalYear(text: string) {
  // The years of dates that the API accepts.
  if (!/^(19|20|21)\d\d-\d\d$/.test(text)) return undefined
  const year = Number(text.slice(0, 4))
  if (text !== toName(year)) return undefined
  return { from: `${year}-04-01`, to: `${year + 1}-03-31` }
}

function toName(year: number) {
  const nextYear = String(year + 1)
  return `${year}-${nextYear.slice(2)}`
}
