import { html } from './html'

/** Buttons that post to paths below a page; `labels` maps each path to its label. */
export function outcomeButtons(basePath: string, labels: Record<string, string>, mainPath?: string) {
  const forms = Object.entries(labels).map(([path, label]) => {
    const kind = path === mainPath && html` class="main"`
    return html`<form method="post" action="${basePath}/${path}"><button${kind}>${label}</button></form>`
  })
  return html`<div class="actions">${forms}</div>`
}
