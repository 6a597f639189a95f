import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { RawReply } from './handle.ts'

/** Parts are sent as they come. */
export const fileToSave = (name: string, type: string, content: Buffer | string | AsyncIterable<string>) =>
  new RawReply(async (response) => {
    response.type(type)
    response.attachment(name)
    if (typeof content === 'string' || Buffer.isBuffer(content)) response.send(content)
    else await pipeline(Readable.from(content), response)
  })

export const pictureToShow = (bytes: Buffer, type: 'image/png' | 'image/jpeg', cacheControl: string) =>
  new RawReply((response) => {
    response.type(type).set('Cache-Control', cacheControl).send(bytes)
  })
