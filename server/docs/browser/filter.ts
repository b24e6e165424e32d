// Runs in the browser: it may use nothing of the server.

/** Whether texts together have every word of a phrase, in the singular or the plural. */
export function hasWords(texts: unknown[], phrase: string) {
  const text = texts.join(' ').toLowerCase()
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean)
  return words.every(word => text.includes(toStem(word)))
}

/** `property` and `properties` have one stem. */
const toStem = (word: string) => (word.length > 3 ? word.replace(/(ies|y|s)$/, '') : word)
