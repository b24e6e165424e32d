/** What the commands say that run many requests: `smoke`, `seed`, `import` and `export`. */
export const enData = {
  smoke_failed: ({ step }: { step: string }) => `${step}: failed`,
  smoke_passed: ({ steps }: { steps: number }) => `All ${steps} steps passed`,
  smoke_skipped: ({ steps }: { steps: number }) => `${steps} steps were skipped`,
  smoke_step_unknown: ({ name, names }: { name: string; names: string }) =>
    `--only has an unknown step: ${name}. The steps are ${names}`,
  progress_of: ({ done, total, unit, rate }: { done: number; total: number; unit: string; rate: number }) =>
    `${done} of ${total} ${unit}, ${rate} per second`,
  seed_next: ({ command }: { command: string }) => `Next: ${command}`,
  seed_production: ({ url }: { url: string }) => `Create demo data on ${url}, which may be in production`,
  sandbox_missing: 'This command needs the sandbox, which this server does not have',
  cell_contradicts: ({ line }: { line: number }) => `differs from line ${line}, which has the same property`,
  cell_invalid: 'is not valid',
  cell_missing: 'is missing',
  cell_not_list: 'must be texts separated by ; or a JSON array of texts',
  cell_not_mailbox: 'must be an e-mail address, such as asha@example.com',
  cell_not_number: ({ min, max }: { min: number; max: number }) => `must be a number from ${min} to ${max}`,
  cell_not_one_of: ({ words }: { words: string }) => `must be one of ${words}`,
  cell_not_phone: 'must be an Indian mobile number of ten digits',
  cell_not_whole: ({ min, max }: { min: number; max: number }) =>
    `must be a whole number from ${min} to ${max}`,
  cell_repeats: ({ line }: { line: number }) => `is in line ${line} already`,
  cell_too_long: ({ max }: { max: number }) => `must have at most ${max} characters`,
  csv_empty: 'The file is empty; its first line names the columns',
  csv_errors: ({ count }: { count: number }) => `The file has ${count} ${count === 1 ? 'error' : 'errors'}`,
  csv_malformed: ({ cause }: { cause: string }) => `The file is no valid CSV: ${cause}`,
  csv_missing_columns: ({ names }: { names: string }) => `The file lacks the columns ${names}`,
  csv_semicolons: 'The columns are separated by ; and not by commas. Save the file as CSV with commas',
  csv_too_many_cells: 'the line has more cells than the heading',
  csv_unknown_columns: ({ names, known }: { names: string; known: string }) =>
    `The file has the unknown columns ${names}. The columns are ${known}`,
  import_production: ({ url }: { url: string }) => `Sign in landlords on ${url}, which may be in production`,
  invite_landlords: ({ count, url }: { count: number; url: string }) =>
    `Invite ${count} landlords on ${url} by a message to each`,
  landlords_invited: 'Each signs in with a one-time password of their own; see: kiraya ops invitations',
  landlords_stored: 'Each sign-in is stored under the phone number: kiraya dashboard --profile <phone>',
  page_failed: ({ url, status }: { url: string; status: number }) => `${url} responded with ${status}`,
  not_active: ({ seconds }: { seconds: number }) => `The agreement did not become ACTIVE within ${seconds} s`,
  smoke_unexpected: ({ name, expected, actual }: { name: string; expected: string; actual: string }) =>
    `${name}: expected ${expected}, got ${actual}`,
}
