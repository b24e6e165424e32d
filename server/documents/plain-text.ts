const REPLACEMENT_CHARACTER = '\uFFFD'
/** Zero-width joiner and non-joiner shape their neighbours. */
const INVISIBLE = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu
const EXCESS_MARKS = /(\p{M}{6})\p{M}+/gu
const PRINTABLE_ASCII = /^[ -~]*$/

/** A text in one line, whose hidden controls do not change what a reader sees, and whose marks stay near their letter. */
export function toPlainText(text: string) {
  if (PRINTABLE_ASCII.test(text)) return text
  return text
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(INVISIBLE, REPLACEMENT_CHARACTER)
    .replaceAll(EXCESS_MARKS, `$1${REPLACEMENT_CHARACTER}`)
}
