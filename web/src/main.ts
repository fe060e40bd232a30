import { mount } from 'svelte';
import App from './App.svelte';
import './look.css';

// Reading the code was one task; the page is another, so that neither is long.
setTimeout(() => {
  const target = document.getElementById('page');
  if (target) mount(App, { target });
});
