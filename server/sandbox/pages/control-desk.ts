import type { SandboxClock, SandboxFault, SandboxProvider } from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { loadSandboxState } from '../control'
import type { SandboxCore } from '../core'
import { faultOptions } from '../fault-rules'
import { clockText, deskPage } from './desk-layout'
import { card, columns, itemList, listItem, paragraph } from '../../pages/elements'
import {
  behaviourLabels,
  callLabels,
  describeRule,
  describeSettings,
  presetGroups,
  providerLabels,
} from './fault-labels'
import { actionRow, button, field, hiddenInputs, postForm } from '../../pages/forms'
import { html, type Content } from '../../pages/html'
import { DAY_MS, HOUR_MS } from '../../domain/durations'

const MAX_DELAY_S = (30 * DAY_MS) / 1000

export type FormValues = Partial<Record<string, string>>

/** Renders the page that controls the next calls and the clock; `values` fill the form after an error. */
export async function controlDeskPage(
  sandbox: SandboxCore,
  message?: Content,
  values: FormValues = {},
  status = 200,
) {
  const { clock, faults, held_webhooks } = await loadSandboxState(sandbox)
  const providers = listSimulatedProviders(sandbox.deps)
  const presets = presetGroups.filter(({ provider }) => providers.includes(provider))
  const left = [rulesCard(faults, held_webhooks), ...presets.map(presetCard)]
  const right = [clockCard(clock), newRuleCard(providers, values)]
  const body = [message, columns(left, right)]
  return deskPage(sandbox.deps, '/sandbox/faults', 'Choose what happens next', body, status)
}

function listSimulatedProviders({ config }: Deps) {
  const isSimulated: Record<SandboxProvider, boolean> = {
    esign: config.sandbox.signing,
    ekyc: config.sandbox.kyc,
    messages: config.sandbox.messages,
  }
  return (Object.keys(isSimulated) as SandboxProvider[]).filter(provider => isSimulated[provider])
}

function rulesCard(rules: SandboxFault[], heldWebhooks: number) {
  const clearButton = button('Clear all fault rules', 'small')
  return card('Fault rules', [
    itemList(rules.map(ruleItem), 'No fault rules.'),
    heldWebhooks > 0 && paragraph(`Scheduled webhooks: ${heldWebhooks}`, 'note'),
    rules.length > 0 && postForm('/sandbox/faults/clear', clearButton),
  ])
}

function ruleItem(rule: SandboxFault) {
  const description = describeRule(rule)
  const removeButton = button('Remove', 'small', `Remove: ${description}`)
  return [
    listItem(description, describeSettings(rule)),
    postForm(`/sandbox/faults/${rule.id}/remove`, removeButton),
  ]
}

function presetCard({ heading, presets }: (typeof presetGroups)[number]) {
  const forms = presets.map(({ label, rule }) =>
    postForm('/sandbox/faults', [hiddenInputs(rule), button(label, 'small', `${heading}: ${label}`)]),
  )
  return card(heading, actionRow(forms))
}

const clockSteps = [
  { label: '+1 hour', change: { advance_ms: HOUR_MS } },
  { label: '+1 day', change: { advance_ms: DAY_MS } },
  { label: '+4 days', change: { advance_ms: 4 * DAY_MS } },
  { label: 'Reset', change: { reset: true } },
]

function clockCard(clock: SandboxClock) {
  const steps = clockSteps.map(({ label, change }) =>
    postForm('/sandbox/clock', [hiddenInputs(change), button(label, 'small')]),
  )
  const timeField = field('at', { label: 'Set to', hint: 'Indian time', type: 'datetime-local' })
  return card('Sandbox clock', [
    paragraph(clockText(clock)),
    actionRow(steps),
    postForm('/sandbox/clock', [timeField, button('Set the clock', 'small')]),
    paragraph(
      'Outside of production the whole server follows: open requests and sessions end, scheduled webhooks ' +
        'arrive, and rents fall due when their time comes.',
      'note',
    ),
  ])
}

function newRuleCard(providers: SandboxProvider[], values: FormValues) {
  const fields = html`<div class="fields">
    ${ruleTargetFields(providers, values)}${ruleSettingFields(values)}
  </div>`
  return card('New fault rule', postForm('/sandbox/faults', [fields, button('Add', 'main')]))
}

function ruleTargetFields(providers: SandboxProvider[], { provider, behaviour, on, match }: FormValues) {
  const behaviours = new Set(providers.flatMap(name => faultOptions[name].behaviours))
  const calls = new Set(providers.flatMap(name => faultOptions[name].on))
  return [
    field('provider', {
      label: 'Provider',
      type: 'select',
      value: provider,
      choices: providers.map(name => [name, providerLabels[name]]),
    }),
    field('behaviour', {
      label: 'What happens',
      isWide: true,
      type: 'select',
      value: behaviour,
      choices: [...behaviours].map(name => [name, behaviourLabels[name]]),
    }),
    field('on', {
      label: 'Which call',
      type: 'select',
      value: on,
      choices: (['any', ...calls] as const).map(name => [name, callLabels[name]]),
    }),
    field('match', {
      label: 'Only for',
      isWide: true,
      hint: 'a phone number, document id or request id',
      type: 'text',
      value: match,
    }),
  ]
}

function ruleSettingFields({ times, delay_s, status, retry_after_s }: FormValues) {
  return [
    field('times', { label: 'How often', type: 'number', min: 1, max: 1_000_000, value: times ?? '1' }),
    field('delay_s', {
      label: 'Delay in seconds',
      hint: 'for slow calls and late webhooks',
      type: 'number',
      min: 0,
      max: MAX_DELAY_S,
      value: delay_s,
    }),
    field('status', {
      label: 'HTTP status',
      hint: 'for errors; 500 by default',
      type: 'number',
      min: 400,
      max: 599,
      value: status,
    }),
    field('retry_after_s', {
      label: 'Retry-After in seconds',
      hint: 'for errors',
      type: 'number',
      min: 0,
      max: 3600,
      value: retry_after_s,
    }),
  ]
}
