import { randomBytes } from 'node:crypto'
import { hashOf } from '../../../lib/security/hash-of.ts'

/** 256 random bits for a URL or a cookie. */
export const newSecret = () => randomBytes(32).toString('base64url')

export const hashSecret = (secret: string) => hashOf(secret, 'base64url')
