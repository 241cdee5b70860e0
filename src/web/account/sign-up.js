/** Signing up, in the way that this server offers; a link from a mail brings its token behind the #. */
import { ask, problemText } from '../ask.js';
import { codeTabs } from '../code-tabs.js';
import { showOnce } from '../copy-button.js';
import { find, speaker } from '../element.js';
import { keepKey } from '../key.js';

const form = find('#sign-up');
const confirm = find('#confirm');
const token = new URLSearchParams(location.hash.slice(1)).get('token');

const tell = speaker(find('#message'));

function showKey(key) {
  keepKey(key);
  form.hidden = true;
  confirm.hidden = true;
  tell('');
  codeTabs(find('#first'), () => ({ url: `${location.origin}/v1/search?q=paris+texas` }));
  showOnce(find('#new-key'), key, 'Copy key');
  history.replaceState(null, '', location.pathname);
}

async function send(url, body, button) {
  button.disabled = true;
  tell('One moment…');
  const answer = await ask(url, { method: 'POST', body });
  button.disabled = false;
  if (!answer.ok) tell(problemText(answer), true);
  else if (answer.body.key) showKey(answer.body.key);
  else
    tell('We have sent you an e-mail. Its link is valid for an hour. If it does not arrive, check your spam folder.');
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const email = find('#email').value.trim();
  send('/account/sign-up', email ? { email } : {}, find('button', form));
});
confirm.addEventListener('submit', (event) => {
  event.preventDefault();
  send('/account/sign-up/confirm', { token }, find('button', confirm));
});

const { ok, body, ...answer } = await ask('/account/sign-up');
if (!ok) tell(problemText({ body, ...answer }), true);
else if (token) confirm.hidden = false;
else if (body.mode === 'closed') find('#closed').hidden = false;
else {
  for (const part of form.querySelectorAll('[data-mode]')) part.hidden = part.dataset.mode !== body.mode;
  find('#email').required = body.mode === 'verified';
  form.hidden = false;
}
