import type { Call, Kiraya, Page, RecordId } from '@kiraya/sdk'
import {
  appendValue,
  pageFields,
  toFieldFlags,
  type FieldFlagTable,
  type FlagWords,
  type Schema,
} from '../input/flags'
import type { RecordKind } from '../input/names'
import { readQuery, submit, submitChange } from '../input/values'
import { saveFile } from '../output/files'
import type { CliCommand } from './command'
import type { Context } from './context'

// A noun is a table of verbs. What a verb takes and prints follows from the contract and from the SDK's method.

type Records = readonly RecordKind[]
type Ids<R extends Records> = { [Index in keyof R]: RecordId }
/** Keeps `R` from being inferred from the method: without `records` it is empty. */
type Fixed<R> = [R][R extends unknown ? 0 : never]
/** The method of the SDK that does the work: it takes the ids of the records, and the input. */
type GetMethod<Client, Args extends readonly unknown[], Result> = (
  client: Client,
) => (...args: [...Args]) => Result

type Spec = {
  /** A command without verbs has its own in the list of commands. */
  summary?: string
  examples?: string[]
  /** What a person confirms because it cannot be undone, of the records as they were typed. */
  confirm?: (named: string) => string
}
type InputSpec<Client, R extends Records, Input, Result> = Spec & {
  records?: R
  input?: Schema<Input>
  words?: FlagWords<NoInfer<Input>>
  call: GetMethod<NoInfer<Client>, [...Ids<Fixed<R>>, NoInfer<Input>], Result>
  /** Creates the client, if it is not the user's. */
  connect?: (context: Context) => Promise<Client>
}

/** Adds the arguments, flags and work of a command. */
export type Verb = (command: CliCommand) => void
export type Verbs = Record<string, Verb>

export function addVerbs(noun: CliCommand, verbs: Verbs) {
  for (const [verb, add] of Object.entries(verbs)) add(noun.command(verb))
}

/** Shows what the server returns: to programs all of it, to people with names, or as `show` does. */
export function read<
  const R extends Records = [],
  T extends object = never,
  Input = undefined,
  Client = Kiraya,
>(
  spec: InputSpec<Client, R, Input, Call<T>> & {
    name?: (client: Kiraya, found: NoInfer<T>[]) => Promise<object[]>
    show?: (context: Context, found: NoInfer<T>) => void | Promise<void>
  },
) {
  const fields = toFlags(spec)
  return createVerb({ ...spec, fields }, async (context, ids, options) => {
    const query = spec.input && (await readQuery<Input>(context, fields, options))
    const get = spec.call(await connect(context, spec))
    const response = await get(...ids, query as Input).withResponse()
    if (context.isJsonOutput) return context.showWarned(response)
    if (spec.show) return spec.show(context, response.data)
    const [data = response.data] = (await spec.name?.(await context.client(), [response.data])) ?? []
    context.showWarned({ ...response, data })
  })
}

/** Shows a page of records; the flags are the fields of the query. */
export function list<const R extends Records = [], Query = object, Row = never, Named = Row, Client = Kiraya>(
  spec: InputSpec<Client, R, Query, Promise<Page<Row>>> & {
    columns: (keyof NoInfer<Named> & string)[]
    /** Returns the rows as people read them, with names for numbers. */
    name?: (client: Kiraya, rows: NoInfer<Row>[]) => Promise<Named[]>
    /** Says what people want to know beside the rows. */
    note?: (page: Page<NoInfer<Row>>) => string | undefined
  },
) {
  const fields = { ...toFlags(spec), ...pageFields }
  return createVerb({ ...spec, fields }, async (context, ids, options) => {
    const query = await readQuery<Query>(context, fields, options)
    const getPage = spec.call(await connect(context, spec))
    const page = await getPage(...ids, query)
    if (context.isJsonOutput) return context.showPage(page, spec.columns)
    const data = spec.name ? await spec.name(await context.client(), page.data) : page.data
    context.showPage({ data, metadata: page.metadata }, spec.columns)
    const note = spec.note?.(page)
    if (note) context.printNote(note)
  })
}

const createSending =
  (submitInput: typeof submitChange, addFlags?: Verb) =>
  <const R extends Records = [], Result = never, Input = undefined, Client = Kiraya>(
    spec: InputSpec<Client, R, Input, Pick<Call<NoInfer<Result>>, 'withResponse'>> & {
      /** What is printed, so that a wrong field of `--json` is refused before anything is sent. */
      result: Schema<Result>
    },
  ) => {
    const fields = toFlags(spec)
    return createVerb({ ...spec, fields, addFlags }, async (context, ids, options: { clear?: string[] }) => {
      const method = spec.call(await connect(context, spec))
      const sendInput = (input: Input) => method(...ids, (spec.input && input) as Input).withResponse()
      context.showWarned(await submitInput(context, fields, options, sendInput))
    })
  }

/** Sends a new record, or what is done to one; the flags are the fields of the input. */
export const send = createSending(submit)

/** Sends the fields that change; `--clear` empties an optional one. */
export const change = createSending(submitChange, command =>
  command.option('--clear <field>', 'empties an optional field (repeatable)', appendValue<string>),
)

type DownloadSpec<R extends Records, Query> = InputSpec<Kiraya, R, Query, Promise<Uint8Array>> & {
  /** The name of the file by default, in which `<id>` stands for the records', `<type>` for webp or pdf. */
  file: string
}

export function download<const R extends Records = [], Query = undefined>(spec: DownloadSpec<R, Query>) {
  const fields = toFlags(spec)
  const addFlags: Verb = command =>
    command.option('--out <file>', `file to write, - for stdout; default: ${spec.file}`).addResult(fileFields)
  return createVerb({ ...spec, fields, addFlags }, async (context, ids, options: { out?: string }) => {
    const query = spec.input && (await readQuery<Query>(context, fields, options))
    const load = spec.call(await connect(context, spec))
    const bytes = await load(...ids, query as Query)
    await saveFile(context, options.out ?? toFileName(spec.file, ids, bytes), bytes)
  })
}

/** Pictures come as WebP, and everything else as PDF. */
function toFileName(pattern: string, ids: readonly unknown[], bytes: Uint8Array) {
  const isPdf = new TextDecoder().decode(bytes.slice(0, 5)) === '%PDF-'
  return pattern.replace('<id>', ids.join('-')).replace('<type>', isPdf ? 'pdf' : 'webp')
}

const fileFields = ['file', 'bytes', 'dry_run']

/** Creates the client of a verb: the user's, unless it has another. */
const connect = <Client>(context: Context, spec: { connect?: (context: Context) => Promise<Client> }) =>
  spec.connect ? spec.connect(context) : (context.client() as Promise<Client>)

const toFlags = <Input>({ input, words }: { input?: Schema<Input>; words?: FlagWords<NoInfer<Input>> }) =>
  input ? toFieldFlags<Input>(input, words) : {}

type VerbSpec<R extends Records> = Spec & {
  records?: R
  fields?: FieldFlagTable
  addFlags?: Verb
  result?: Pick<Schema<unknown>, 'properties'>
}
type Work<R extends Records, Options> = (context: Context, ids: Ids<R>, options: Options) => Promise<void>

/** Does what none of the others does; it reads its flags itself. */
export function createVerb<const R extends Records = [], Options extends object = object>(
  spec: VerbSpec<R>,
  work: Work<R, Options>,
): Verb {
  const { summary, records = [], examples = [], confirm, fields = {}, addFlags, result } = spec
  return command => {
    if (summary) command.description(summary)
    for (const kind of records) command.addRecord(kind)
    command.addFieldFlags(fields)
    addFlags?.(command)
    if (confirm) command.addConfirmFlag()
    command.addExamples(...examples)
    if (result) command.addResult(Object.keys(result.properties))
    // commander passes the arguments in their order, and then the flags.
    command.run(async (context, ...parsed: unknown[]) => {
      const options = parsed[records.length] as Options & { yes?: boolean }
      if (confirm) await context.confirm(confirm(context.named), options.yes)
      await work(context, parsed.slice(0, records.length) as Ids<R>, options)
    })
  }
}
