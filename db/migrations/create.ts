import { join } from 'node:path'
import { migrations } from './index'

/**
 * Writes a migration with the SQL that brings the database to the entities.
 * The SQL is a draft: large tables need the steps of `OnlineMigration`, and `down` has to be written.
 * @returns The file, or undefined if the database already has the entities' schema.
 */
export async function createMigration(
  title: string,
  schemaDiff: string,
  folder = import.meta.dir,
): Promise<string | undefined> {
  const statements = splitStatements(schemaDiff).filter(statement => !statement.startsWith('set names'))
  if (statements.length === 0) return undefined

  const lastNumber = Number.parseInt(migrations.at(-1)!.name, 10)
  const number = String(lastNumber + 1).padStart(4, '0')
  const name = toKebabCase(title)
  const file = join(folder, `${number}-${name}.ts`)
  await Bun.write(file, toSource(toClassName(name), statements))
  return file
}

function splitStatements(text: string): string[] {
  const statements = text.split(/;\s*(?:\n|$)/).map(statement => statement.trim())
  return statements.filter(statement => statement !== '')
}

const toKebabCase = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

const toClassName = (name: string) =>
  name.replace(/(?:^|-)([a-z0-9])/g, (_match, first: string) => first.toUpperCase())

const toSource = (
  className: string,
  statements: string[],
) => `import { OnlineMigration } from './online-migration'

export class ${className} extends OnlineMigration {
  override async up() {
    await this.runWithShortLock(
${statements.map(statement => `      \`${statement}\`,`).join('\n')}
    )
  }

  override async down() {
    throw new Error('${className} cannot be undone yet')
  }
}
`
