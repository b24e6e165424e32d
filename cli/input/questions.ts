import { CancelledError } from '../runtime/errors'

export type Question = {
  message: string
  /** What the person may edit instead of typing it again. */
  initial?: string
  placeholder?: string
  /** Words to choose from. */
  choices?: readonly string[]
  /** Says what is wrong with a reply. */
  findMistake?: (reply: string) => string | undefined
}

/** Asks on stderr, because stdout carries only data. The library loads with the first question. */
export async function askAtTerminal(question: Question): Promise<string> {
  const { isCancel, select, text, updateSettings } = await import('@clack/prompts')
  // Ctrl+D would close the input and leave the question open.
  updateSettings({ aliases: { '\u0004': 'cancel' } })
  const { message, initial, placeholder, choices, findMistake } = question
  const common = { message, output: process.stderr, input: process.stdin }
  const reply = choices
    ? await select({ ...common, options: choices.map(value => ({ value })), initialValue: initial })
    : await text({
        ...common,
        placeholder,
        initialValue: initial,
        validate: value => findMistake?.(value?.trim() ?? ''),
      })
  if (isCancel(reply)) throw new CancelledError()
  return String(reply ?? '').trim()
}
