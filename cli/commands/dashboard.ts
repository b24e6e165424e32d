import { read } from '../runtime/verbs'

export const verb = read({
  call: client => client.dashboard.get,
  show: (context, { stats, recent_activity }) => {
    context.show(stats)
    context.terminal.out('')
    context.show(recent_activity, ['occurred_at', 'message'])
  },
})
