/** `redis[s]://[[user]:password@]host[:port][/number]` or `unix://[user:password@]/path[?db=number]`. */
export function isRedisUrl(text: string): boolean {
  if (/^unix:\/\/([^@/]*@)?\/[^?#]+(\?db=\d+)?$/.test(text)) return true
  const url = URL.parse(text)
  return url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && /^\/?\d*$/.test(url.pathname)
}
