/** Runs before anything is shown: somebody who comes back from the checkout must not see the prices flash by. */
document.documentElement.className = /[?&](order|phone)=\w/.test(location.search) ? 'js resume' : 'js';
