import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

/** IANA's special-purpose registries: not on the public internet. */
const specialPurposeAddresses = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  specialPurposeAddresses.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['100::', 64],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  specialPurposeAddresses.addSubnet(net, prefix, 'ipv6')

/** Only for early messages: DNS may change, so each connection checks again. */
export async function isPrivateHost(url: URL): Promise<boolean> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const found = isIP(host) ? [{ address: host }] : await lookup(host, { all: true }).catch(() => [])
  return found.some(({ address }) => specialPurposeAddresses.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'))
}
