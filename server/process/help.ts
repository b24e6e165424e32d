import { MIN_POSTGRES } from '../../db/version'
import { describeCondition, entries, EXAMPLE_DATABASE_URL } from '../settings/requirements'
import { headings, type Setting } from '../settings/table'

/** What the server says of itself before it needs a setting or a database. */
export function createHelp() {
  const width = Math.max(...entries.map(([name]) => name.length))
  const lines = entries.map(([name, setting]) => {
    const value = setting.default ? ` (${describeDefault(setting)})` : ''
    return `  ${name.padEnd(width)}  ${`${describe(setting)}${value}`.replaceAll('`', '')}`
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

/** The tables of the settings in server/settings/README.md. */
export function createMarkdown() {
  const blocks = entries.flatMap(([name, setting]) => {
    const heading = headings[name]
    const start = heading ? ['', `## ${heading}`, '', '| setting | default | meaning |', '|---|---|---|'] : []
    return [...start, `| \`${name}\` | ${describeDefault(setting)} | ${describe(setting)} |`]
  })
  return `${blocks.slice(1).join('\n')}\n`
}

function describeDefault({ default: text, inProduction }: Setting) {
  const production = inProduction ? `, in production \`${inProduction}\`` : ''
  return text ? `\`${text}\`${production}` : ''
}

function describe({ meaning, requiredWith = [] }: Setting) {
  const conditions = requiredWith.map(describeCondition).join(' or ')
  return conditions ? `${meaning}; required ${conditions.replace(/[A-Z]\S+/g, '`$&`')}` : meaning
}
