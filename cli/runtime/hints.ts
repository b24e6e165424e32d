type Environment = Record<string, string | undefined>

/** How the command was called, so that hints can be pasted as they stand. */
export function getCommandName(env: Environment, { profile, url }: { profile?: string; url?: string } = {}) {
  const runners = ['npx', 'bunx']
  const runner = runners.find(name => env.npm_command === 'exec' && env.npm_lifecycle_event === name)
  const globals = [profile && `--profile ${quote(profile)}`, url && `--url ${quote(url)}`]
  return [runner, 'kiraya', ...globals].filter(Boolean).join(' ')
}

/** Quotes an argument for a POSIX shell, if it needs quotes. */
function quote(argument: string) {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument
  return `'${argument.replaceAll("'", `'\\''`)}'`
}
