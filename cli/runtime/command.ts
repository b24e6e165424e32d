import { Command } from 'commander'
import { createContext, type Context, type GlobalOptions } from './context'
import { toOptions, type FieldFlagTable } from '../input/flags'
import { createSelection } from '../output/json'
import { findMissingFlags } from '../input/values'
import { getHelp, resolveRecords, type RecordKind } from '../input/names'
import type { Terminal } from './terminal'

type Work<Parsed extends unknown[]> = (context: Context, ...parsed: Parsed) => void | Promise<void>

/** A command with flags for the API's fields, whose work receives the context. */
export class CliCommand extends Command {
  readonly records: RecordKind[] = []
  /** The API's fields that have flags, for completion. */
  readonly fields: FieldFlagTable = {}
  /** The fields of what the command prints, if it changes something. */
  private resultFields: readonly string[] | undefined

  constructor(
    name: string | undefined,
    readonly terminal: Terminal,
  ) {
    super(name)
  }

  override createCommand(name?: string) {
    return new CliCommand(name, this.terminal)
  }

  addFieldFlags(fields: FieldFlagTable) {
    Object.assign(this.fields, fields)
    for (const option of toOptions(fields)) this.addOption(option)
    return this
  }

  /** Adds an argument that names a record; the work receives its id. */
  addRecord(kind: RecordKind) {
    this.records.push(kind)
    return this.argument(kind === 'unit' ? `[${kind}]` : `<${kind}>`, getHelp(kind))
  }

  /** Names the fields that `--json` may choose, so that a wrong one is refused before anything is sent. */
  addResult(fields: readonly string[]) {
    this.resultFields = fields
    return this
  }

  /** Names all that is missing; commander, which calls this, names one argument. */
  missingArgument() {
    const missing = this.registeredArguments.slice(this.args.length).filter(({ required }) => required)
    const flags = findMissingFlags(this.fields, this.opts())
    const names = [...missing.map(argument => `<${argument.name()}>`), ...flags]
    this.error(`error: missing ${names.join(', ')}`, { code: 'commander.missingArgument' })
  }

  addConfirmFlag() {
    return this.option('--yes', 'skip the confirmation')
  }

  addExamples(...commandLines: string[]) {
    if (commandLines.length === 0) return this
    const heading = commandLines.length > 1 ? 'Examples' : 'Example'
    const lines = commandLines.map(line => `\n  ${line}`)
    return this.addHelpText('after', `\n${heading}:${lines.join('')}`)
  }

  /** Sets what the command does; its arguments and options follow the context. */
  run<Parsed extends unknown[]>(work: Work<Parsed>) {
    return this.action(async (...parsed) => {
      const globals = this.optsWithGlobals<GlobalOptions>()
      const select = await createSelection(globals)
      const named = parsed.slice(0, this.records.length).filter(Boolean).join(' ')
      if (this.resultFields) select.requireFields(this.resultFields)
      const context = createContext(this.terminal, globals, { named, select })
      const finish = async () => {
        const resolved = await resolveRecords(context, this.records, parsed)
        await work(context, ...(resolved as Parsed))
      }
      await Promise.race([finish(), context.dryRunEnd])
    })
  }
}
