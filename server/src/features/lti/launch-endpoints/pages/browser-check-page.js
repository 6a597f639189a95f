// Script of the pages that check the browser, for any browser a school has: no modules, nothing newer than 2020.
;(() => {
  /** A platform with storage answers immediately; one without never does. */
  const TIMEOUT_MS = 2000
  let root
  let page

  // Before the first paint: the button is for browsers without scripts, and the last resort.
  document.documentElement.classList.add('script')
  document.addEventListener('DOMContentLoaded', () => {
    root = document.querySelector('[data-step]')
    page = root.dataset
    if (page.step === 'login') void checkBrowser()
    else void submitSecret()
  })

  async function checkBrowser() {
    const ok = hasCookie() || (await request('lti.put_data', { value: page.secret })) !== null
    // Replaces this page in the history, so that going back does not return here.
    if (ok) return location.replace(page.onward)
    root.querySelector('.wait').hidden = true
    const newWindow = root.querySelector('.new-window')
    newWindow.classList.add('needed')
    newWindow.querySelector('a').addEventListener('click', showOpened)
  }

  /** The LMS's login hint works once, so the same button must not be used again. */
  function showOpened() {
    root.querySelector('.new-window').classList.remove('needed')
    const opened = root.querySelector('.opened')
    opened.hidden = false
    opened.focus()
  }

  async function submitSecret() {
    const form = root.querySelector('form')
    const reply = await request('lti.get_data', {})
    // Posted without a secret too: the server then shows what is wrong.
    form.elements.namedItem('secret').value = reply && typeof reply.value === 'string' ? reply.value : ''
    form.submit()
  }

  function hasCookie() {
    try {
      return document.cookie.split('; ').indexOf('assay_cookie_check=1') >= 0
    } catch {
      return false
    }
  }

  /** The platform's storage frame, a sibling or the parent of ours; null where there is none. */
  function storageFrame() {
    const parentWindow = window.parent !== window ? window.parent : window.opener
    try {
      return page.frame === '_parent' ? parentWindow : (parentWindow?.frames[page.frame] ?? null)
    } catch {
      return null
    }
  }

  /** The platform's answer to one message (LTI client side postMessages 1.0); null for an error or a timeout. */
  function request(subject, fields) {
    const target = page.frame ? storageFrame() : null
    if (!target) return Promise.resolve(null)
    const id = `assay-${page.key}`
    return new Promise((resolve) => {
      const timer = setTimeout(() => finish(null), TIMEOUT_MS)
      function onMessage(event) {
        const data = event.data
        if (event.origin !== page.origin || event.source !== target || !data) return
        if (data.subject !== `${subject}.response` || data.message_id !== id) return
        finish(data.error ? null : data)
      }
      function finish(result) {
        clearTimeout(timer)
        window.removeEventListener('message', onMessage)
        resolve(result)
      }
      window.addEventListener('message', onMessage)
      target.postMessage({ subject, message_id: id, key: page.key, ...fields }, page.origin)
    })
  }
})()
