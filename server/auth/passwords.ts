const cost = { algorithm: 'argon2id', memoryCost: 65_536, timeCost: 3 } as const

// The hash of a password that nobody knows: comparing with it takes as long as with a real one.
const NOBODYS = '$argon2id$v=19$m=65536,t=3,p=1$aWImpArlyM0NUBrVUIXwYaxgyv70NPJvktn38LE4QIA$8GS8KYrCW4OvZHTGkr+Uz8yQcv1DgKj+jjZnZb53yxk'

export const hashPassword = (password: string) => Bun.password.hash(password, cost)
export const isPassword = async (password: string, hash: string | null | undefined) => await Bun.password.verify(password, hash ?? NOBODYS) && !!hash
