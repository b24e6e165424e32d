let format: Intl.DateTimeFormat | undefined

/** Formats a moment in Indian time, such as `21 Nov 2026, 3:30 pm IST`. */
export function formatDateTime(at: Date) {
  // Created at the first use: the runtime's date data takes longer to load than most of the start.
  format ??= new Intl.DateTimeFormat('en-IN', {
    timeZone: 'Asia/Kolkata',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
  })
  return `${format.format(at).replace(/\u202f/g, ' ')} IST`
}
