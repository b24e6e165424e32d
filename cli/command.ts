import { Command } from 'commander'
import { createContext, type Context, type GlobalOptions } from './context'
import { appendValue, toOptions, type FieldFlagTable } from './field-flags'
import type { Terminal } from './terminal'

export const RECORD_ID = 'number or UUID'

type Work<Parsed extends unknown[]> = (context: Context, ...parsed: Parsed) => void | Promise<void>

/** A command with flags for the API's fields, whose work receives the context. */
export class CliCommand extends Command {
  constructor(
    name: string | undefined,
    readonly terminal: Terminal,
  ) {
    super(name)
  }

  override createCommand(name?: string) {
    return new CliCommand(name, this.terminal)
  }

  /** Adds a flag for each field. */
  addFieldFlags(fields: FieldFlagTable) {
    for (const option of toOptions(fields)) this.addOption(option)
    return this
  }

  addClearFlag() {
    return this.option('--clear <field>', 'empties an optional field (repeatable)', appendValue<string>)
  }

  addConfirmFlag() {
    return this.option('--yes', 'skip the confirmation')
  }

  addExamples(...commandLines: string[]) {
    const heading = commandLines.length > 1 ? 'Examples' : 'Example'
    const lines = commandLines.map(line => `\n  ${line}`)
    return this.addHelpText('after', `\n${heading}:${lines.join('')}`)
  }

  /** Sets what the command does; its arguments and options follow the context. */
  run<Parsed extends unknown[]>(work: Work<Parsed>) {
    return this.action((...parsed) => {
      const context = createContext(this.terminal, this.optsWithGlobals<GlobalOptions>())
      return work(context, ...(parsed as Parsed))
    })
  }
}
