import { CancelledError } from '../runtime/errors'
import { parseField, toFieldName, type FieldFlag, type FieldFlagTable, type FieldTexts } from './flags'
import { fieldKinds } from './kinds'

export type Question = {
  message: string
  /** What the person may edit instead of typing it again. */
  initial?: string
  placeholder?: string
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

/** Returns what asks a person for a field, and puts the reply among the texts. */
export function createAsk(
  ask: (question: Question) => Promise<string>,
  fields: FieldFlagTable,
  texts: FieldTexts,
  suggestions: Record<string, string>,
) {
  return async (name: string) => {
    const field = fields[name]!
    const reply = await ask(toQuestion(name, field, texts[name] ?? suggestions[name]))
    // An optional field that was refused may be left out.
    if (!reply) delete texts[name]
    else texts[name] = fieldKinds[field.kind].isRepeatable ? reply.split(',').map(text => text.trim()) : reply
  }
}

function toQuestion(name: string, field: FieldFlag, text: string | string[] | undefined): Question {
  const { description, choices, kind } = field
  const fieldName = toFieldName(name).replace(/ id(s?)$/, '$1')
  const message = fieldName.charAt(0).toUpperCase() + fieldName.slice(1)
  return {
    message: kind === 'people' ? `${message} (commas between several)` : message,
    placeholder: description,
    choices: choices ?? (kind === 'boolean' ? ['true', 'false'] : undefined),
    initial: text === undefined ? undefined : String(text),
    findMistake: reply => findMistake(name, field, reply),
  }
}

function findMistake(name: string, field: FieldFlag, reply: string) {
  if (!reply && field.isRequired) return 'Required'
  try {
    parseField(name, field, reply)
  } catch (error) {
    return (error as Error).message
  }
}
