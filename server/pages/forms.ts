import { html, type Content } from './html'

type ButtonKind = 'main' | 'small'

/** `description` replaces the label for screen readers. */
export const button = (label: string, kind?: ButtonKind, description?: string) =>
  html`<button${kind && html` class="${kind}"`}${description && html` aria-label="${description}"`}>${label}</button>`

export const postForm = (action: string, body: Content) =>
  html`<form method="post" action="${action}">${body}</form>`

export const actionRow = (forms: Content[]) => html`<div class="actions">${forms}</div>`

/** Buttons that post to paths below a page; `labels` maps each path to its label. */
export function outcomeButtons(basePath: string, labels: Record<string, string>, mainPath?: string) {
  const forms = Object.entries(labels).map(([path, label]) =>
    postForm(`${basePath}/${path}`, button(label, path === mainPath ? 'main' : undefined)),
  )
  return actionRow(forms)
}

export function hiddenInputs(values: Record<string, unknown>) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  return given.map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}" />`)
}

type InputField = {
  type: 'number' | 'text' | 'datetime-local' | 'tel'
  value?: string
  min?: number
  max?: number
}
type SelectField = { type: 'select'; value?: string; choices: [value: string, label: string][] }
type Field = { label: string; hint?: string; isWide?: boolean } & (InputField | SelectField)

/** An input or select with its label and hint. */
export function field(name: string, { label, hint, isWide, ...control }: Field) {
  const describedBy = hint && html` aria-describedby="${name}-hint"`
  return html`<div class="field${isWide && ' broad'}">
    <label for="${name}">${label}</label>
    ${control.type === 'select' ? selectElement(name, control, describedBy) : inputElement(name, control, describedBy)}
    ${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
  </div>`
}

function selectElement(name: string, { value, choices }: SelectField, attributes: Content) {
  const options = choices.map(([choice, label]) => {
    const selected = choice === value && html` selected`
    return html`<option value="${choice}" ${selected}>${label}</option>`
  })
  return html`<select id="${name}" name="${name}" ${attributes}>
    ${options}
  </select>`
}

function inputElement(name: string, { type, value, min, max }: InputField, attributes: Content) {
  const bounds = [min !== undefined && html` min="${min}"`, max !== undefined && html` max="${max}"`]
  return html`<input
    id="${name}"
    name="${name}"
    type="${type}"
    value="${value ?? ''}"
    ${bounds}${attributes}
    autocomplete="off"
  />`
}
