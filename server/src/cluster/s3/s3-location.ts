export interface S3Location {
  bucket: string
  /** Empty, or ends in a slash. */
  prefix: string
  /** Null for AWS. */
  endpoint: string | null
  region: string
  /** The bucket is in the path, not the host name, as in most stores but AWS. */
  pathStyle: boolean
  /** Null: the AWS SDK looks in its profile files, or the role of the machine or container. */
  credentials: { accessKeyId: string; secretAccessKey: string } | null
}

/** Parses `s3://bucket/prefix?endpoint=https://…&region=…&path_style=on`; a sentence if it is invalid. */
export function parseS3Url(text: string): Omit<S3Location, 'credentials'> | string {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || !url.hostname) return 'must be like s3://bucket/prefix?endpoint=https://…&region=…'
  if (url.username || url.password) return 'must not have keys in it; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
  const { endpoint, region, path_style, ...unknown } = Object.fromEntries(url.searchParams)
  const [name] = Object.keys(unknown)
  if (url.port || url.hash)
    return 'must be like s3://bucket/prefix, with the address of the store as endpoint=https://…'
  if (name !== undefined) return `does not know “${name}”; after the “?” it may have endpoint, region and path_style`
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    return 'its endpoint must begin with http:// or https://'
  }
  if (path_style !== undefined && path_style !== 'on' && path_style !== 'off') return 'its path_style must be on or off'
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '')
  return {
    bucket: url.hostname,
    prefix: prefix && `${prefix}/`,
    endpoint: endpoint ?? null,
    region: region ?? 'us-east-1',
    pathStyle: path_style ? path_style === 'on' : endpoint !== undefined,
  }
}
