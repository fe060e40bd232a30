import { mount } from 'svelte';
import App from './App.svelte';
import './look.css';

const target = document.getElementById('page');
if (target) mount(App, { target });
