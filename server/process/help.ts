import { MIN_POSTGRES } from '../../db/version'
import { settings } from '../settings/table'

export const EXAMPLE_DATABASE_URL = 'postgres://kiraya:secret@localhost:5432/kiraya'

/** What the server says of itself before it needs a setting or a database. */
export function createHelp() {
  const width = Math.max(...Object.keys(settings).map(name => name.length))
  const lines = Object.entries(settings).map(([name, { meaning, defaultText }]) => {
    const value = defaultText ? ` (${defaultText})` : ''
    return `  ${name.padEnd(width)}  ${meaning.replaceAll('`', '')}${value}`
  })
  return [
    'Runs the Kiraya server. Environment variables are its settings.',
    '',
    `  DATABASE_URL=${EXAMPLE_DATABASE_URL} kiraya-server`,
    '  kiraya-server migrate | --version',
    '',
    `It needs PostgreSQL ${MIN_POSTGRES} or later, and makes its tables itself. Without DATABASE_URL it starts the`,
    'PostgreSQL of its packages; the single program has none. The documentation is at /docs once it runs.',
    '',
    'Settings, with their defaults:',
    ...lines,
    '',
  ].join('\n')
}
