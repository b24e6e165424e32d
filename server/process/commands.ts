import { version } from '../../package.json'
import { createHelp, createMarkdown } from './help'

type Command = (args: string[]) => unknown

/** What the program does besides serving. A script reads its own arguments, and works while it loads. */
const commands: Record<string, Command> = {
  '--version': () => process.stdout.write(`${version}\n`),
  '--help': ([form]) => process.stdout.write(form === '--markdown' ? createMarkdown() : createHelp()),
  '-h': () => process.stdout.write(createHelp()),
  migrate: () => import('./migrate'),
}

/** Does what the first argument names, and ends the process; what nothing names is refused. */
export async function runCommand([name = '', ...args]: string[]): Promise<never> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    process.stderr.write(
      `Unknown argument: ${name}. Use one of ${Object.keys(commands).join(', ')}, or none\n`,
    )
    return process.exit(2)
  }
  try {
    await command(args)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`Kiraya cannot ${name}: ${reason}\n`)
    process.exitCode = 1
  }
  return process.exit()
}
