const EXAMPLE =
  /^\W*(?:e\.g\.|for\s+example|such\s+as|possible\s+answers?)|\bany\s+(?:other\s+)?(?:sensible|suitable|valid|reasonable|relevant|appropriate|plausible|correct|example|similar)\b|\b(?:own|personal)\s+(?:example|words|opinion|view)s?\b|\banswers\s+(?:may|will)\s+vary\b/i

const CODE_WORDS =
  /\b(?:def|return|elif|print|import|function|const|let|var|int|void|public|static)\b|\b(?:for|while|if)\s*\(|\bfor\s+\w+\s+in\b|\bif\b[^.]{1,40}:/g
const CODE_SIGNS = /[(){}[\];]|[=!<>+]=|\+\+|:\s*$|\w+\(\w*\)/gm

/** A long key is a model answer, whatever it gives an example of. */
const MAX_LENGTH = 300

/** Words say little about such an answer's worth. */
export const isOpenKey = (key: string): boolean => key.length <= MAX_LENGTH && EXAMPLE.test(key)

export function isCode(key: string): boolean {
  const words = key.match(CODE_WORDS)?.length ?? 0
  if (/\bSELECT\b[\s\S]+\bFROM\b/.test(key)) return true
  return words >= 2 && (key.match(CODE_SIGNS)?.length ?? 0) >= 4
}
