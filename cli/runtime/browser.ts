import { spawn } from 'node:child_process'
import type { Terminal } from './terminal'

type Launcher = [program: string, ...args: string[]]

/** Opens an address in the browser, if a person at this machine has one. */
export function openBrowser({ env, isStdoutTty }: Terminal, address: string) {
  const launcher = findLauncher(env)
  if (!isStdoutTty || !launcher || !/^https?:\/\//.test(address)) return
  const [program, ...args] = launcher
  const run = spawn(program, [...args, address], { detached: true, stdio: 'ignore' })
  // The address is printed too, so a browser that does not start is no failure.
  run.on('error', () => {})
  run.unref()
}

function findLauncher(env: Terminal['env']): Launcher | undefined {
  if (env.BROWSER) return [env.BROWSER]
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}
