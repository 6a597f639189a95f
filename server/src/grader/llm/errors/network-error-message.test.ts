import { describe, expect, it } from 'vitest'
import { unreachableMessage } from './connection-test-messages.ts'

const tell = (base_url: string | null, code: string | null) =>
  unreachableMessage(base_url ? `The model server at ${new URL(base_url).host}` : 'OpenAI', base_url, code)

describe('a connection that does not come about', () => {
  it.each([
    [
      'http://localhost:11434/v1',
      'ECONNREFUSED',
      /Nothing is listening at localhost:11434: start the model server.*container/,
    ],
    ['http://10.0.0.7:8000/v1', 'ECONNREFUSED', /10\.0\.0\.7:8000 refuses the connection.*Start it/],
    ['https://modle.example/v1', 'ENOTFOUND', /no host called “modle\.example”.*typos/],
    [null, 'EAI_AGAIN', /cannot look up the address of OpenAI.*DNS/],
    [null, 'ENOTFOUND', /cannot look up the address of OpenAI.*internet/],
    ['https://own.example/v1', 'EAI_AGAIN', /“own\.example” could not be looked up.*DNS/],
    [null, 'ETIMEDOUT', /firewall.*proxy.*gateway/],
    ['http://10.0.0.7:8000/v1', 'EHOSTUNREACH', /may be off/],
    ['https://own.example/v1', 'DEPTH_ZERO_SELF_SIGNED_CERT', /does not trust.*NODE_EXTRA_CA_CERTS/],
    ['https://own.example/v1', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', /proxy that inspects TLS connections/],
    ['https://own.example/v1', 'CERT_HAS_EXPIRED', /expired/],
    ['https://own.example/v1', 'ERR_TLS_CERT_ALTNAME_INVALID', /for another name/],
    ['https://own.example:8000/v1', 'ERR_SSL_WRONG_VERSION_NUMBER', /does not use https.*http:\/\//],
    ['http://own.example/v1', 'ECONNRESET', /If it uses https, enter https:\/\/own\.example\/v1/],
    ['https://own.example/v1', 'terminated', /connection was interrupted \(terminated\)/],
    [null, null, /OpenAI could not be reached/],
  ])('is reported with what to do: %s, %s', (address, code, words) => {
    expect(tell(address, code)).toMatch(words)
  })
})
