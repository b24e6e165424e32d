import { join } from 'node:path'
import { Glob } from 'bun'

const sdk = join(import.meta.dir, '../../sdk')
const DOC_COMMENT =
  /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(?:export )?(?:async )?(?:const |function |readonly )?(\w+)/g

export const readSources = (pattern: string) =>
  Promise.all(
    [...new Glob(pattern).scanSync(sdk)].map(async file => ({
      file,
      source: await Bun.file(join(sdk, file)).text(),
    })),
  )

/** `rent-revisions.ts` has the methods of `rentRevisions`. */
const toNamespace = (file: string) =>
  file.replace('.ts', '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Every doc comment of the SDK with the name that it documents. */
export const docComments = (await readSources('*.ts')).flatMap(({ file, source }) =>
  [...source.matchAll(DOC_COMMENT)].map(([, comment, name]) => {
    const text = comment!.replace(/^ *\* ?/gm, '').trim()
    return { file: toNamespace(file), name: name!, text, example: text.split('@example\n')[1] }
  }),
)

/** Finds the doc comment of a method, such as `charges.create`. */
export const findDocComment = (method: string) =>
  docComments.find(({ file, name }) => `${file}.${name}` === method)
