/** Created at the first use: the runtime's date data takes longer to load than most of the start. */
function createLazyFormat(options: Intl.DateTimeFormatOptions) {
  let format: Intl.DateTimeFormat | undefined
  return (at: Date) => {
    format ??= new Intl.DateTimeFormat('en-IN', {
      timeZone: 'Asia/Kolkata',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      ...options,
    })
    return `${format.format(at).replace(/\u202f/g, ' ')} IST`
  }
}

/** Formats a moment in Indian time, such as `21 Nov 2026, 3:30 pm IST`. */
export const formatDateTime = createLazyFormat({ hour: 'numeric', minute: '2-digit', hour12: true })

/** Formats a moment in Indian time with seconds, such as `21 Nov 2026, 15:30:05 IST`. */
export const formatExactDateTime = createLazyFormat({
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** Masks all but the last four digits. */
export const maskPhone = (phone: string) => phone.replace(/.(?=.{4})/gsu, '*')
