/** Trusted markup; everything else is escaped when it is inserted. */
export class Html {
  constructor(readonly text: string) {}
}
export type Content = Html | string | number | null | undefined | false | readonly Content[]

/** Builds markup from a template and escapes its values. */
export function html(parts: TemplateStringsArray, ...values: Content[]) {
  return new Html(parts.map((part, index) => part + render(values[index])).join(''))
}

function render(content: Content): string {
  if (content instanceof Html) return content.text
  if (Array.isArray(content)) return content.map(render).join('')
  if (content === null || content === undefined || content === false) return ''
  return Bun.escapeHTML(String(content))
}
