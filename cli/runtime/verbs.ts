import type { Kiraya, Message, Page, RecordId } from '@kiraya/sdk'
import type { CliCommand } from './command'
import type { Context } from './context'
import { pageFields, type FieldFlagTable } from '../input/flags'
import { readQuery, submit, submitChange } from '../input/values'
import type { RecordKind } from '../input/records'
import { messageResultFields } from '../output/result-fields'
import { toFieldFlags, type FlagWords, type Schema } from '../input/contract-flags'

type Records = readonly RecordKind[]
type Ids<R extends Records> = { [Index in keyof R]: RecordId }
/** The method of the SDK that does the work: it takes the ids of the records, and the input. */
type Call<Args extends readonly unknown[], Result> = (
  client: Kiraya,
) => (...args: [...Args]) => Promise<Result>

type Spec<R extends Records> = { summary: string; records: R; example?: string }
type InputSpec<R extends Records, Input, Result> = Spec<R> & {
  input: Schema<Input>
  words?: FlagWords<NoInfer<Input>>
  call: Call<[...Ids<R>, NoInfer<Input>], NoInfer<Result>>
}
type ChangeSpec<R extends Records, Input, Result> = InputSpec<R, Input, Result> & { result: Schema<Result> }

/** Adds the arguments, flags and work of a command. */
export type Verb = (command: CliCommand) => void
export type Noun = {
  name: string
  description: string
  load: () => Promise<{ verbs: Record<string, Verb> }>
}

/** Adds a noun. Its verbs are imported if one of the words names it, or if there is no command line. */
export async function addNoun(program: CliCommand, { name, description, load }: Noun, words?: string[]) {
  const noun = program.command(name).description(description)
  if (words && !words.includes(name)) return
  const { verbs } = await load()
  for (const [verb, add] of Object.entries(verbs)) add(noun.command(verb))
}

/** Shows one record. */
export const read = <const R extends Records, T extends object>(spec: Spec<R> & { call: Call<Ids<R>, T> }) =>
  createVerb(spec, async (context, ids) => {
    const get = spec.call(await context.client())
    context.show(await get(...ids))
  })

/** Shows a page of records; the flags are the fields of the query. The server knows what a list is sorted by. */
export function list<const R extends Records, Query, Column extends string>(
  spec: InputSpec<R, Query, Page<Record<Column, unknown>>> & { columns: Column[] },
) {
  const fields = { ...toFieldFlags(spec.input, spec.words), ...pageFields }
  return createVerb({ ...spec, fields }, async (context, ids, options) => {
    const query = await readQuery<Query>(context, fields, options)
    const getPage = spec.call(await context.client())
    context.showPage(await getPage(...ids, query), spec.columns)
  })
}

/** Sends a new record; the flags are its fields. */
export function create<const R extends Records, Input, Result>(spec: ChangeSpec<R, Input, Result>) {
  const fields = toFieldFlags(spec.input, spec.words)
  const result = Object.keys(spec.result.properties)
  return createVerb({ ...spec, fields, result }, async (context, ids, options) => {
    const send = spec.call(await context.client())
    context.show(await submit<Input, Result>(context, fields, options, input => send(...ids, input)))
  })
}

/** Sends the fields that change; `--clear` empties an optional one. */
export function change<const R extends Records, Input, Result>(spec: ChangeSpec<R, Input, Result>) {
  const fields = toFieldFlags(spec.input, spec.words)
  const result = Object.keys(spec.result.properties)
  const addFlags: Verb = command => command.addClearFlag()
  return createVerb({ ...spec, fields, result, addFlags }, async (context, ids, options) => {
    const send = spec.call(await context.client())
    context.show(await submitChange<Input, Result>(context, fields, options, input => send(...ids, input)))
  })
}

/** Does what cannot be undone, after a confirmation. */
export function remove<const R extends Records>(
  spec: Spec<R> & { confirm: (named: string) => string; call: Call<Ids<R>, Message> },
) {
  const addFlags: Verb = command => command.addConfirmFlag()
  return createVerb({ ...spec, result: messageResultFields, addFlags }, async (context, ids, { yes }) => {
    await context.confirm(spec.confirm(context.named), yes)
    const send = spec.call(await context.client())
    context.show(await send(...ids))
  })
}

type Flags = { fields?: FieldFlagTable; addFlags?: Verb; result?: readonly string[] }
type Options = { clear?: string[]; yes?: boolean }
type Work<R extends Records> = (context: Context, ids: Ids<R>, options: Options) => Promise<void>

export function createVerb<const R extends Records>(spec: Spec<R> & Flags, work: Work<R>): Verb {
  const { summary, records, example, fields = {}, addFlags, result } = spec
  return command => {
    command.description(summary)
    for (const kind of records) command.addRecord(kind)
    command.addFieldFlags(fields)
    addFlags?.(command)
    if (example) command.addExamples(example)
    if (result) command.addResult(result)
    // commander passes the arguments in their order, and then the flags.
    command.run((context, ...parsed: unknown[]) =>
      work(context, parsed.slice(0, records.length) as Ids<R>, parsed[records.length] as Options),
    )
  }
}
