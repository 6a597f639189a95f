import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits for an address or a cookie. */
export const newSecret = () => randomBytes(32).toString('base64url')

/** What is stored of it. */
export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('base64url')
