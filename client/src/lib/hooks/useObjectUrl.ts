import { useEffect, useState } from 'react'

export function useObjectUrl(file: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    // jsdom has none.
    if (!file || !URL.createObjectURL) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
