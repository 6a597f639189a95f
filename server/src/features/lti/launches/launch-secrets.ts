import { randomBytes } from 'node:crypto'
import { hashOf } from '../../../lib/security/hash-of.ts'

/** 256 random bits for an address or a cookie. */
export const newSecret = () => randomBytes(32).toString('base64url')

/** What is stored of it. */
export const hashSecret = (secret: string) => hashOf(secret, 'base64url')
