import { Baseline, fingerprint } from './0001-baseline'

/** In the order of execution. A released name never changes. */
export const migrations = [{ name: `0001-baseline-${fingerprint}`, class: Baseline }]
